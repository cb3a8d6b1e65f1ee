import { createJobs, type Migrations } from "@care/service-kit"
import createCaseCalendarEventsSealedByRow from "./0001_create_case_calendar_events_sealed_by_row.ts"

export const migrations: Migrations = {
  "0001_create_case_calendar_events_sealed_by_row": createCaseCalendarEventsSealedByRow,
  "0002_create_jobs_without_statistics": createJobs
}
