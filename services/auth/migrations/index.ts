import { addListsToAudit, createAudit, indexAuditByCaseAndUser } from "@care/audit"
import { addJobsFailingSince, createIndexOfCarryingJobs, createJobs } from "@care/jobs"
import { createIdempotencyKeys, createIdempotencySecrets } from "@care/once"
import { createPatientKeys } from "@care/phi"
import { createAnswerCounts, createStoredAmounts, type Migrations } from "@care/service-kit"
import createOrganizationsWithVersions from "./0001_create_organizations_with_versions.ts"
import createApiKeys from "./0002_create_api_keys.ts"
import createUsersWithVersions from "./0003_create_users_with_versions.ts"
import createCredentials from "./0004_create_credentials.ts"
import createCodes from "./0005_create_codes.ts"
import createRefreshTokensWithRoom from "./0006_create_refresh_tokens_with_room.ts"
import createMessagesToUsers from "./0007_create_messages_to_users.ts"
import createIndexOfAdministrators from "./0011_create_index_of_administrators.ts"
import addTimeOfAddresses from "./0013_add_time_of_addresses.ts"
import dateChangedAddresses from "./0015_date_changed_addresses.ts"
import createNoticeCounts from "./0021_create_notice_counts.ts"
import addTimeOfNames from "./0061_add_time_of_names.ts"

export const migrations: Migrations = {
  "0001_create_organizations_with_versions": createOrganizationsWithVersions,
  "0002_create_api_keys": createApiKeys,
  "0003_create_users_with_versions": createUsersWithVersions,
  "0004_create_credentials": createCredentials,
  "0005_create_codes": createCodes,
  "0006_create_refresh_tokens_with_room": createRefreshTokensWithRoom,
  "0007_create_messages_to_users": createMessagesToUsers,
  "0008_create_idempotency_keys_with_room": createIdempotencyKeys,
  "0009_create_jobs_about_something": createJobs,
  "0010_create_audit": createAudit,
  "0011_create_index_of_administrators": createIndexOfAdministrators,
  "0012_create_keys_of_patients": createPatientKeys,
  "0013_add_time_of_addresses": addTimeOfAddresses,
  "0014_create_index_of_carrying_jobs": createIndexOfCarryingJobs,
  "0015_date_changed_addresses": dateChangedAddresses,
  "0016_add_jobs_failing_since": addJobsFailingSince,
  "0017_create_stored_amounts": createStoredAmounts,
  "0019_add_lists_to_audit": addListsToAudit,
  "0020_index_audit_by_case_and_user": indexAuditByCaseAndUser,
  "0021_create_notice_counts": createNoticeCounts,
  "0022_create_idempotency_secrets": createIdempotencySecrets,
  "0060_create_answer_counts": createAnswerCounts,
  "0061_add_time_of_names": addTimeOfNames
}
