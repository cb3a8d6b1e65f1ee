import type { Migrations } from "@care/service-kit"
import createCalendarEvents from "./0001_create_calendar_events.ts"

/** The migrations of the scheduling service, in order. */
export const migrations: Migrations = { "0001_create_calendar_events": createCalendarEvents }
