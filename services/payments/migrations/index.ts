import { addListsToAudit, createAudit, indexAuditByCaseAndUser } from "@care/audit"
import { addJobsFailingSince, createJobs } from "@care/jobs"
import { createIdempotencyKeys, createIdempotencySecrets } from "@care/once"
import { createPatientKeys } from "@care/phi"
import { createReconciliations } from "@care/service"
import { createAnswerCounts, createStoredAmounts, type Migrations } from "@care/service-kit"
import createPaymentsWithRefunds from "./0001_create_payments_with_refunds.ts"
import createPromoCodes from "./0003_create_promo_codes.ts"
import createPaymentEvents from "./0005_create_payment_events.ts"
import createCaseOwners from "./0006_create_case_owners.ts"
import createSavedMethodsAndConfirmations from "./0007_create_saved_methods_and_confirmations.ts"
import createPaymentPreparations from "./0008_create_payment_preparations.ts"
import createIndexOfPaymentsByPatient from "./0011_create_index_of_payments_by_patient.ts"
import createIndexOfCaseOwners from "./0012_create_index_of_case_owners.ts"
import addTimeOfAddresses from "./0013_add_time_of_addresses.ts"
import createDeletedCustomers from "./0014_create_deleted_customers.ts"
import createIndexOfSavedMethodsByCustomer from "./0015_create_index_of_saved_methods_by_customer.ts"
import createPatientCustomers from "./0016_create_patient_customers.ts"
import dropIndexOfSavedMethodsByCustomer from "./0017_drop_index_of_saved_methods_by_customer.ts"
import createIndexOfPatientCustomers from "./0018_create_index_of_patient_customers.ts"
import createIndexOfDeletedCustomers from "./0019_create_index_of_deleted_customers.ts"
import keepAllConfirmations from "./0020_keep_all_confirmations.ts"
import createIndexOfFirstConfirmations from "./0021_create_index_of_first_confirmations.ts"
import createIndexOfConfirmationsInOrder from "./0022_create_index_of_confirmations_in_order.ts"
import createStripeCalls from "./0023_create_stripe_calls.ts"
import addIntentsWithoutPayment from "./0029_add_intents_without_payment.ts"
import createIndexOfOpenPayments from "./0030_create_index_of_open_payments.ts"
import addDecisionsAsTold from "./0033_add_decisions_as_told.ts"
import findOlderIntentsWithoutPayment from "./0064_find_older_intents_without_payment.ts"
import forgetDigestsOfEmails from "./0065_forget_digests_of_emails.ts"
import addReportsOfIntentsWithoutPayment from "./0066_add_reports_of_intents_without_payment.ts"
import createIndexOfReportedIntents from "./0067_create_index_of_reported_intents.ts"
import dropIndexOfUnclaimedIntents from "./0068_drop_index_of_unclaimed_intents.ts"
import createIndexOfUnhandledEvents from "./0069_create_index_of_unhandled_events.ts"

export const migrations: Migrations = {
  "0001_create_payments_with_refunds": createPaymentsWithRefunds,
  "0002_create_jobs_about_something": createJobs,
  "0003_create_promo_codes": createPromoCodes,
  "0004_create_idempotency_keys_with_room": createIdempotencyKeys,
  "0005_create_payment_events": createPaymentEvents,
  "0006_create_case_owners": createCaseOwners,
  "0007_create_saved_methods_and_confirmations": createSavedMethodsAndConfirmations,
  "0008_create_payment_preparations": createPaymentPreparations,
  "0009_create_audit": createAudit,
  "0010_create_keys_of_patients": createPatientKeys,
  "0011_create_index_of_payments_by_patient": createIndexOfPaymentsByPatient,
  "0012_create_index_of_case_owners": createIndexOfCaseOwners,
  "0013_add_time_of_addresses": addTimeOfAddresses,
  "0014_create_deleted_customers": createDeletedCustomers,
  "0015_create_index_of_saved_methods_by_customer": createIndexOfSavedMethodsByCustomer,
  "0016_create_patient_customers": createPatientCustomers,
  "0017_drop_index_of_saved_methods_by_customer": dropIndexOfSavedMethodsByCustomer,
  "0018_create_index_of_patient_customers": createIndexOfPatientCustomers,
  "0019_create_index_of_deleted_customers": createIndexOfDeletedCustomers,
  "0020_keep_all_confirmations": keepAllConfirmations,
  "0021_create_index_of_first_confirmations": createIndexOfFirstConfirmations,
  "0022_create_index_of_confirmations_in_order": createIndexOfConfirmationsInOrder,
  "0023_create_stripe_calls": createStripeCalls,
  "0027_add_jobs_failing_since": addJobsFailingSince,
  "0028_create_reconciliations": createReconciliations,
  "0029_add_intents_without_payment": addIntentsWithoutPayment,
  "0030_create_index_of_open_payments": createIndexOfOpenPayments,
  "0031_create_stored_amounts": createStoredAmounts,
  "0033_add_decisions_as_told": addDecisionsAsTold,
  "0035_add_lists_to_audit": addListsToAudit,
  "0036_index_audit_by_case_and_user": indexAuditByCaseAndUser,
  "0037_create_idempotency_secrets": createIdempotencySecrets,
  "0060_create_answer_counts": createAnswerCounts,
  "0064_find_older_intents_without_payment": findOlderIntentsWithoutPayment,
  "0065_forget_digests_of_emails": forgetDigestsOfEmails,
  "0066_add_reports_of_intents_without_payment": addReportsOfIntentsWithoutPayment,
  "0067_create_index_of_reported_intents": createIndexOfReportedIntents,
  "0068_drop_index_of_unclaimed_intents": dropIndexOfUnclaimedIntents,
  "0069_create_index_of_unhandled_events": createIndexOfUnhandledEvents
}
