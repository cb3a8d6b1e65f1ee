import { createJobs, type Migrations } from "@care/service-kit"
import createStandingCalendarEvents from "./0001_create_standing_calendar_events.ts"

export const migrations: Migrations = {
  "0001_create_standing_calendar_events": createStandingCalendarEvents,
  "0002_create_jobs_about_something": createJobs
}
