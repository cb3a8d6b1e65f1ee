import type { Migrations } from "@care/service-kit"
import createJobs from "./0001_create_jobs.ts"
import createAudit from "./0002_create_audit.ts"
import createPatientKeys from "./0003_create_patient_keys.ts"
import createIdempotencyKeys from "./0004_create_idempotency_keys.ts"
import createStoredAmounts from "./0005_create_stored_amounts.ts"
import createReconciliations from "./0006_create_reconciliations.ts"
import createAnswerCounts from "./0008_create_answer_counts.ts"
import createPayments from "./0010_create_payments.ts"
import createPaymentIntents from "./0011_create_payment_intents.ts"
import createPaymentPreparations from "./0012_create_payment_preparations.ts"
import createPaymentEvents from "./0013_create_payment_events.ts"
import createPaymentConfirmations from "./0014_create_payment_confirmations.ts"
import createCaseOwners from "./0015_create_case_owners.ts"
import createPromoCodes from "./0016_create_promo_codes.ts"
import createSavedMethods from "./0017_create_saved_methods.ts"
import createCustomers from "./0018_create_customers.ts"
import createStripeCalls from "./0019_create_stripe_calls.ts"
import partitionAudit from "./0020_partition_audit.ts"
import createOrganizationMoves from "./0021_create_organization_moves.ts"
import indexGlobalPromoCodes from "./0022_index_global_promo_codes.ts"
import indexAuditByActor from "./0023_index_audit_by_actor.ts"
import indexOldAuditByActor from "./0024_index_old_audit_by_actor.ts"
import createTestOrganizations from "./0026_create_test_organizations.ts"
import addModeOfPaymentEvents from "./0027_add_mode_of_payment_events.ts"
import addResetsOfTestOrganizations from "./0029_add_resets_of_test_organizations.ts"
import indexPaymentIntentsOfOrganization from "./0030_index_payment_intents_of_organization.ts"
import indexJobsOfOrganization from "./0031_index_jobs_of_organization.ts"

export const migrations: Migrations = {
  "0001_create_jobs": createJobs,
  "0002_create_audit": createAudit,
  "0003_create_patient_keys": createPatientKeys,
  "0004_create_idempotency_keys": createIdempotencyKeys,
  "0005_create_stored_amounts": createStoredAmounts,
  "0006_create_reconciliations": createReconciliations,
  "0008_create_answer_counts": createAnswerCounts,
  "0010_create_payments": createPayments,
  "0011_create_payment_intents": createPaymentIntents,
  "0012_create_payment_preparations": createPaymentPreparations,
  "0013_create_payment_events": createPaymentEvents,
  "0014_create_payment_confirmations": createPaymentConfirmations,
  "0015_create_case_owners": createCaseOwners,
  "0016_create_promo_codes": createPromoCodes,
  "0017_create_saved_methods": createSavedMethods,
  "0018_create_customers": createCustomers,
  "0019_create_stripe_calls": createStripeCalls,
  "0020_partition_audit": partitionAudit,
  "0021_create_organization_moves": createOrganizationMoves,
  "0022_index_global_promo_codes": indexGlobalPromoCodes,
  "0023_index_audit_by_actor": indexAuditByActor,
  "0024_index_old_audit_by_actor": indexOldAuditByActor,
  "0026_create_test_organizations": createTestOrganizations,
  "0027_add_mode_of_payment_events": addModeOfPaymentEvents,
  "0029_add_resets_of_test_organizations": addResetsOfTestOrganizations,
  "0030_index_payment_intents_of_organization": indexPaymentIntentsOfOrganization,
  "0031_index_jobs_of_organization": indexJobsOfOrganization
}
