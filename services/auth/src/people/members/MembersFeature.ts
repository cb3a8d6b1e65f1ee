import { Layer } from "effect"
import { MembersHandlers } from "./http.ts"
import { Members } from "./Members.ts"

/** The staff of organizations. */
export const MembersFeature = MembersHandlers.pipe(Layer.provide(Members.layer))
