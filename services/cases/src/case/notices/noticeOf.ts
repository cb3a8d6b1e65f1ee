import type { CaseNotice } from "@care/domain/auth"
import { unassignedStatus } from "@care/domain/cases"
import { UserId } from "@care/domain/ids"
import { Schema } from "effect"
import type { NoticedActivity } from "./CaseNoticesRepo.ts"

const isUserId = Schema.is(UserId)

/**
 * Returns the notice of an entry of a case's activity, if there is one. The patient gets a notice when the case opens for the first time,
 * created open or abandoned before. A provider gets one when the case is assigned to them, unless another provider has it by now.
 */
export const noticeOf = (activity: NoticedActivity): ReadonlyArray<CaseNotice> => {
  const { details, id: key, isSilent, isSuperseded, organizationId, shortId, type, userId } = activity
  if (isSilent) return []
  const common = { key, organizationId, shortId }
  if (type === "CASE_ASSIGNED") {
    const { providerId } = details
    return isSuperseded || !isUserId(providerId) ? [] : [{ ...common, kind: "CASE_ASSIGNED", userId: providerId }]
  }
  const isOpening =
    type === "CASE_CREATED"
      ? details["status"] === unassignedStatus
      : type === "CASE_OPENED" && details["from"] === "ABANDONED"
  return isOpening ? [{ ...common, kind: "CASE_OPENED", userId }] : []
}
