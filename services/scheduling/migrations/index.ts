import type { Migrations } from "@care/service-kit"
import createJobs from "./0001_create_jobs.ts"
import createAudit from "./0002_create_audit.ts"
import createPatientKeys from "./0003_create_patient_keys.ts"
import createIdempotencyKeys from "./0004_create_idempotency_keys.ts"
import createStoredAmounts from "./0005_create_stored_amounts.ts"
import createReconciliations from "./0006_create_reconciliations.ts"
import indexJobsWithPayload from "./0007_index_jobs_with_payload.ts"
import createCalendarEvents from "./0010_create_calendar_events.ts"
import createCalendarNights from "./0011_create_calendar_nights.ts"
import createCaseSnapshots from "./0012_create_case_snapshots.ts"
import createBookings from "./0013_create_bookings.ts"
import createCancellations from "./0014_create_cancellations.ts"
import createProviderEvents from "./0015_create_provider_events.ts"
import partitionAudit from "./0016_partition_audit.ts"
import createOrganizationMoves from "./0017_create_organization_moves.ts"
import indexAuditByActor from "./0018_index_audit_by_actor.ts"
import indexOldAuditByActor from "./0019_index_old_audit_by_actor.ts"
import createTestOrganizations from "./0020_create_test_organizations.ts"
import addModeOfProviderEvents from "./0021_add_mode_of_provider_events.ts"
import addResetsOfTestOrganizations from "./0023_add_resets_of_test_organizations.ts"

export const migrations: Migrations = {
  "0001_create_jobs": createJobs,
  "0002_create_audit": createAudit,
  "0003_create_patient_keys": createPatientKeys,
  "0004_create_idempotency_keys": createIdempotencyKeys,
  "0005_create_stored_amounts": createStoredAmounts,
  "0006_create_reconciliations": createReconciliations,
  "0007_index_jobs_with_payload": indexJobsWithPayload,
  "0010_create_calendar_events": createCalendarEvents,
  "0011_create_calendar_nights": createCalendarNights,
  "0012_create_case_snapshots": createCaseSnapshots,
  "0013_create_bookings": createBookings,
  "0014_create_cancellations": createCancellations,
  "0015_create_provider_events": createProviderEvents,
  "0016_partition_audit": partitionAudit,
  "0017_create_organization_moves": createOrganizationMoves,
  "0018_index_audit_by_actor": indexAuditByActor,
  "0019_index_old_audit_by_actor": indexOldAuditByActor,
  "0020_create_test_organizations": createTestOrganizations,
  "0021_add_mode_of_provider_events": addModeOfProviderEvents,
  "0023_add_resets_of_test_organizations": addResetsOfTestOrganizations
}
