import { createIdempotentAnswers, type Migrations } from "@care/service-kit"
import createProducts from "./0001_create_products.ts"
import createForms from "./0002_create_forms.ts"
import createBundles from "./0003_create_bundles.ts"
import createCases from "./0004_create_cases.ts"
import createCaseProducts from "./0005_create_case_products.ts"
import createFormResponses from "./0006_create_form_responses.ts"
import createIdempotencyKeys from "./0007_create_idempotency_keys.ts"
import indexCasesThatLockProfiles from "./0008_index_cases_that_lock_profiles.ts"
import addDynamicForms from "./0009_add_dynamic_forms.ts"
import createDocuments from "./0010_create_documents.ts"
import addAssignment from "./0012_add_assignment.ts"
import createDecisionsAndComments from "./0013_create_decisions_and_comments.ts"
import createOrders from "./0014_create_orders.ts"
import indexIdempotencyKeys from "./0015_index_idempotency_keys.ts"

/** The migrations of the cases service, in order. */
export const migrations: Migrations = {
  "0001_create_products": createProducts,
  "0002_create_forms": createForms,
  "0003_create_bundles": createBundles,
  "0004_create_cases": createCases,
  "0005_create_case_products": createCaseProducts,
  "0006_create_form_responses": createFormResponses,
  "0007_create_idempotency_keys": createIdempotencyKeys,
  "0008_index_cases_that_lock_profiles": indexCasesThatLockProfiles,
  "0009_add_dynamic_forms": addDynamicForms,
  "0010_create_documents": createDocuments,
  "0011_create_idempotent_answers": createIdempotentAnswers,
  "0012_add_assignment": addAssignment,
  "0013_create_decisions_and_comments": createDecisionsAndComments,
  "0014_create_orders": createOrders,
  "0015_index_idempotency_keys": indexIdempotencyKeys
}
