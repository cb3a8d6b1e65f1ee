import { greeting } from "./greeting.ts"
import type { Notice } from "./Notice.ts"
import type { Receiver } from "./NoticesRepo.ts"

const formatTime = (time: Date, timeZone: string): string =>
  new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeStyle: "long", timeZone }).format(time)

/** Returns the message of a notice. It names the case by its short id, because a title would reveal what a person is treated for. */
export const noticeText = (
  { firstName, organizationName }: Receiver,
  notice: Notice
): { readonly subject: string; readonly text: string } => {
  const { shortId } = notice
  switch (notice.kind) {
    case "CASE_OPENED":
      return {
        subject: `Your case at ${organizationName} is open`,
        text: `${greeting(firstName)} your case ${shortId} at ${organizationName} is open. You hear from ${organizationName} when there is news.`
      }
    case "CASE_ASSIGNED":
      return {
        subject: `A case at ${organizationName} was assigned to you`,
        text: `${greeting(firstName)} the case ${shortId} at ${organizationName} was assigned to you.`
      }
    case "APPOINTMENT_REMINDER":
      return {
        subject: `Your appointment at ${organizationName}`,
        text: `${greeting(firstName)} your appointment at ${organizationName} about case ${shortId} is on ${formatTime(notice.startsAt, notice.timezone)}.`
      }
  }
}
