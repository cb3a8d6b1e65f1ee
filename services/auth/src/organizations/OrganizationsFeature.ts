import { Layer } from "effect"
import { OrganizationsHandlers } from "./http.ts"
import { Organizations } from "./Organizations.ts"

/** Organizations as operators make and disable them. */
export const OrganizationsFeature = OrganizationsHandlers.pipe(Layer.provide(Organizations.layer))
