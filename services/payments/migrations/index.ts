import { createJobs, type Migrations } from "@care/service-kit"
import createCasePaymentsSealedByRow from "./0001_create_case_payments_sealed_by_row.ts"

export const migrations: Migrations = {
  "0001_create_case_payments_sealed_by_row": createCasePaymentsSealedByRow,
  "0002_create_jobs_about_something": createJobs
}
