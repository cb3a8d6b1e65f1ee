import { createJobs, type Migrations } from "@care/service-kit"
import createCasePayments from "./0001_create_case_payments.ts"

/** The migrations of the payments service, in order. */
export const migrations: Migrations = {
  "0001_create_case_payments": createCasePayments,
  "0002_create_job_queues": createJobs
}
