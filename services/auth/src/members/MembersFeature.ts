import { Layer } from "effect"
import { MembersHandlers } from "./http.ts"
import { Members } from "./Members.ts"
import { ProviderAnnouncement } from "./ProviderAnnouncement.ts"

/** The staff of organizations, and what cases are told of it. */
export const MembersFeature = Layer.merge(
  MembersHandlers.pipe(Layer.provide(Members.layer)),
  ProviderAnnouncement.layerWorker
)
