import { createIdempotencyKeys, createJobs, type Migrations } from "@care/service-kit"
import createCalendarEventsOfAgents from "./0001_create_calendar_events_of_agents.ts"

export const migrations: Migrations = {
  "0001_create_calendar_events_of_agents": createCalendarEventsOfAgents,
  "0002_create_jobs_about_something": createJobs,
  "0003_create_idempotency_keys_with_room": createIdempotencyKeys
}
