import type { AdminCase } from "@care/domain/cases"
import type { BadgeLook } from "../../ui/Badge.tsx"

/** The statuses of a case in words, and how they look. */
export const statusWords: Readonly<Record<AdminCase["status"], { readonly text: string; readonly look: BadgeLook }>> = {
  OPEN: { text: "Waits for a provider", look: "warn" },
  ABANDONED: { text: "Checkout not finished", look: "plain" },
  ASSIGNED: { text: "Assigned", look: "accent" },
  IN_PROGRESS: { text: "In progress", look: "accent" },
  APPROVED: { text: "Approved", look: "good" },
  REJECTED: { text: "Rejected", look: "bad" },
  NO_DECISION: { text: "No decision", look: "plain" }
}

export const visitWords: Readonly<Record<AdminCase["type"], string>> = {
  ASYNC_TEXT_EMAIL: "By text or email",
  SYNC_IN_PERSON: "Visit in person",
  SYNC_PHONE: "Phone visit",
  SYNC_VIDEO: "Video visit"
}

const days = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" })

/** Returns a day, `YYYY-MM-DD`, in words: "12 April 1988" in the reader's order. What is no day stays as it is. */
export const dayInWords = (day: string): string => {
  const at = new Date(`${day}T00:00:00Z`)
  return Number.isNaN(at.getTime()) ? day : days.format(at)
}

/** Returns the age in years of somebody who was born on a day. */
export const ageOn = (birthDay: string, today: Date): number => {
  const years = today.getFullYear() - Number(birthDay.slice(0, 4))
  const day = `${String(today.getMonth() + 1).padStart(2, "0")}-${String(today.getDate()).padStart(2, "0")}`
  return day < birthDay.slice(5) ? years - 1 : years
}
