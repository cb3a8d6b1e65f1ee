import { createJobs, type Migrations } from "@care/service-kit"
import createCaseCalendarEvents from "./0001_create_case_calendar_events.ts"

/** The migrations of the scheduling service, in order. */
export const migrations: Migrations = {
  "0001_create_case_calendar_events": createCaseCalendarEvents,
  "0002_create_job_queues": createJobs
}
