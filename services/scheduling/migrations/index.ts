import { addListsToAudit, createAudit, indexAuditByCaseAndUser } from "@care/audit"
import { addJobsFailingSince, createIndexOfCarryingJobs, createJobs } from "@care/jobs"
import { createIdempotencyKeys, createIdempotencySecrets } from "@care/once"
import { createPatientKeys } from "@care/phi"
import { createReconciliations } from "@care/service"
import { createStoredAmounts, type Migrations } from "@care/service-kit"
import createCalendarEventsOfAgents from "./0001_create_calendar_events_of_agents.ts"
import createCaseFacts from "./0004_create_case_facts.ts"
import createListsOfAppointments from "./0005_create_lists_of_appointments.ts"
import createBookings from "./0006_create_bookings_first_asked.ts"
import createProviderEventsOfIdsAndTimes from "./0007_create_provider_events_of_ids_and_times.ts"
import createCancellations from "./0008_create_cancellations.ts"
import createIndexOfBookingsByPatient from "./0013_create_index_of_bookings_by_patient.ts"
import createIndexOfCaseFacts from "./0014_create_index_of_case_facts.ts"
import createIndexOfCalendarEventsByPatient from "./0015_create_index_of_calendar_events_by_patient.ts"
import createIndexOfCancellationsByEvent from "./0016_create_index_of_cancellations_by_event.ts"
import createIndexOfMeetings from "./0020_create_index_of_meetings.ts"

export const migrations: Migrations = {
  "0001_create_calendar_events_of_agents": createCalendarEventsOfAgents,
  "0002_create_jobs_about_something": createJobs,
  "0003_create_idempotency_keys_with_room": createIdempotencyKeys,
  "0004_create_case_facts": createCaseFacts,
  "0005_create_lists_of_appointments": createListsOfAppointments,
  "0006_create_bookings_first_asked": createBookings,
  "0007_create_provider_events_of_ids_and_times": createProviderEventsOfIdsAndTimes,
  "0008_create_cancellations": createCancellations,
  "0011_create_audit": createAudit,
  "0012_create_keys_of_patients": createPatientKeys,
  "0013_create_index_of_bookings_by_patient": createIndexOfBookingsByPatient,
  "0014_create_index_of_case_facts": createIndexOfCaseFacts,
  "0015_create_index_of_calendar_events_by_patient": createIndexOfCalendarEventsByPatient,
  "0016_create_index_of_cancellations_by_event": createIndexOfCancellationsByEvent,
  "0017_create_index_of_carrying_jobs": createIndexOfCarryingJobs,
  "0018_add_jobs_failing_since": addJobsFailingSince,
  "0019_create_reconciliations": createReconciliations,
  "0020_create_index_of_meetings": createIndexOfMeetings,
  "0021_create_stored_amounts": createStoredAmounts,
  "0026_add_lists_to_audit": addListsToAudit,
  "0027_index_audit_by_case_and_user": indexAuditByCaseAndUser,
  "0028_create_idempotency_secrets": createIdempotencySecrets
}
