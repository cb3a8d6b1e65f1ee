import type { Migrations } from "@care/service-kit"
import createJobs from "./0001_create_jobs.ts"
import createAudit from "./0002_create_audit.ts"
import createPatientKeys from "./0003_create_patient_keys.ts"
import createIdempotencyKeys from "./0004_create_idempotency_keys.ts"
import createStoredAmounts from "./0005_create_stored_amounts.ts"
import indexJobsWithPayload from "./0007_index_jobs_with_payload.ts"
import createAnswerCounts from "./0008_create_answer_counts.ts"
import createOrganizations from "./0010_create_organizations.ts"
import createApiKeys from "./0011_create_api_keys.ts"
import createUsers from "./0012_create_users.ts"
import createCredentials from "./0013_create_credentials.ts"
import createCodes from "./0014_create_codes.ts"
import createRefreshTokens from "./0015_create_refresh_tokens.ts"
import createMessages from "./0016_create_messages.ts"
import createNoticeCounts from "./0017_create_notice_counts.ts"
import partitionAudit from "./0018_partition_audit.ts"
import createOrganizationMoves from "./0019_create_organization_moves.ts"
import createStaffSessions from "./0020_create_staff_sessions.ts"
import createPasskeys from "./0021_create_passkeys.ts"
import createDeviceSignIns from "./0022_create_device_sign_ins.ts"
import addSupportMayReadAnswers from "./0025_add_support_may_read_answers.ts"
import indexMembers from "./0030_index_members.ts"
import indexDeviceApprovers from "./0031_index_device_approvers.ts"
import createSingleSignOn from "./0032_create_single_sign_on.ts"
import indexStaffDomains from "./0033_index_staff_domains.ts"
import addNextOfSignOns from "./0034_add_next_of_sign_ons.ts"
import addClientOfStaffSessions from "./0035_add_client_of_staff_sessions.ts"
import indexAuditByActor from "./0036_index_audit_by_actor.ts"
import indexOldAuditByActor from "./0037_index_old_audit_by_actor.ts"
import addScopesOfApiKeys from "./0038_add_scopes_of_api_keys.ts"
import addNetworksOfApiKeys from "./0039_add_networks_of_api_keys.ts"
import addApiVersionOfOrganizations from "./0041_add_api_version_of_organizations.ts"
import createIncidents from "./0042_create_incidents.ts"
import createRequestLogs from "./0044_create_request_logs.ts"
import addReplacementOfApiKeys from "./0045_add_replacement_of_api_keys.ts"
import createTestOrganizations from "./0048_create_test_organizations.ts"
import createClockAdvances from "./0049_create_clock_advances.ts"
import addLiveOrganization from "./0050_add_live_organization.ts"
import indexSandboxes from "./0051_index_sandboxes.ts"
import indexMessagesOfOrganization from "./0052_index_messages_of_organization.ts"
import addResetsOfTestOrganizations from "./0053_add_resets_of_test_organizations.ts"
import addSealedTextOfMessages from "./0054_add_sealed_text_of_messages.ts"

export const migrations: Migrations = {
  "0001_create_jobs": createJobs,
  "0002_create_audit": createAudit,
  "0003_create_patient_keys": createPatientKeys,
  "0004_create_idempotency_keys": createIdempotencyKeys,
  "0005_create_stored_amounts": createStoredAmounts,
  "0007_index_jobs_with_payload": indexJobsWithPayload,
  "0008_create_answer_counts": createAnswerCounts,
  "0010_create_organizations": createOrganizations,
  "0011_create_api_keys": createApiKeys,
  "0012_create_users": createUsers,
  "0013_create_credentials": createCredentials,
  "0014_create_codes": createCodes,
  "0015_create_refresh_tokens": createRefreshTokens,
  "0016_create_messages": createMessages,
  "0017_create_notice_counts": createNoticeCounts,
  "0018_partition_audit": partitionAudit,
  "0019_create_organization_moves": createOrganizationMoves,
  "0020_create_staff_sessions": createStaffSessions,
  "0021_create_passkeys": createPasskeys,
  "0022_create_device_sign_ins": createDeviceSignIns,
  "0025_add_support_may_read_answers": addSupportMayReadAnswers,
  "0030_index_members": indexMembers,
  "0031_index_device_approvers": indexDeviceApprovers,
  "0032_create_single_sign_on": createSingleSignOn,
  "0033_index_staff_domains": indexStaffDomains,
  "0034_add_next_of_sign_ons": addNextOfSignOns,
  "0035_add_client_of_staff_sessions": addClientOfStaffSessions,
  "0036_index_audit_by_actor": indexAuditByActor,
  "0037_index_old_audit_by_actor": indexOldAuditByActor,
  "0038_add_scopes_of_api_keys": addScopesOfApiKeys,
  "0039_add_networks_of_api_keys": addNetworksOfApiKeys,
  "0041_add_api_version_of_organizations": addApiVersionOfOrganizations,
  "0042_create_incidents": createIncidents,
  "0044_create_request_logs": createRequestLogs,
  "0045_add_replacement_of_api_keys": addReplacementOfApiKeys,
  "0048_create_test_organizations": createTestOrganizations,
  "0049_create_clock_advances": createClockAdvances,
  "0050_add_live_organization": addLiveOrganization,
  "0051_index_sandboxes": indexSandboxes,
  "0052_index_messages_of_organization": indexMessagesOfOrganization,
  "0053_add_resets_of_test_organizations": addResetsOfTestOrganizations,
  "0054_add_sealed_text_of_messages": addSealedTextOfMessages
}
