import type { CaseNoticeKind } from "@care/domain/auth"
import type { Receiver } from "./NoticesRepo.ts"

/** What a message says of a case: whose it is and its short id. A title would tell what somebody is treated for. */
export const noticeText: Readonly<
  Record<CaseNoticeKind, (receiver: Receiver, shortId: string) => { readonly subject: string; readonly text: string }>
> = {
  CASE_OPENED: ({ firstName, organizationName }, shortId) => ({
    subject: `Your case at ${organizationName} is open`,
    text: `Hello ${firstName}, your case ${shortId} at ${organizationName} is open. You hear from ${organizationName} when there is news.`
  }),
  CASE_ASSIGNED: ({ firstName, organizationName }, shortId) => ({
    subject: `A case at ${organizationName} was assigned to you`,
    text: `Hello ${firstName}, the case ${shortId} at ${organizationName} was assigned to you.`
  })
}
