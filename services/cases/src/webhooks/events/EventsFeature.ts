import { Layer } from "effect"
import { Events } from "./Events.ts"
import { EventsHandlers } from "./http.ts"

/** The list of events. */
export const EventsFeature = EventsHandlers.pipe(Layer.provide(Events.layer))
