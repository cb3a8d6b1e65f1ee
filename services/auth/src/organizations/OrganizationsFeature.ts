import { Layer } from "effect"
import { OrganizationsHandlers } from "./http.ts"
import { Organizations } from "./Organizations.ts"

export const OrganizationsFeature = OrganizationsHandlers.pipe(Layer.provide(Organizations.layer))
