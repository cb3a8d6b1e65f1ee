import { DateTime } from "effect"
import type { MeetingType } from "./MeetingType.ts"

const opens = { hour: 9 }
const closes = { hour: 17 }

const isWorkingDay = (day: DateTime.DateTime): boolean => {
  const weekDay = DateTime.getPart(day, "weekDay")
  return weekDay >= 1 && weekDay <= 5
}

/**
 * Returns the start times of an event type's slots in a range, in milliseconds: consecutive within the host's hours,
 * taken or not. `until` is exclusive.
 */
export const slotsBetween = ({ host, minutes }: MeetingType, from: number, until: number): ReadonlyArray<number> => {
  const slots: Array<number> = []
  const length = minutes * 60_000
  const first = DateTime.makeZonedUnsafe(from, { timeZone: host.timezone })
  let day = DateTime.startOf(first, "day")
  while (DateTime.toEpochMillis(day) < until) {
    if (isWorkingDay(day)) {
      const close = DateTime.toEpochMillis(DateTime.setParts(day, closes))
      let slot = DateTime.toEpochMillis(DateTime.setParts(day, opens))
      for (; slot + length <= close; slot += length) if (slot >= from && slot < until) slots.push(slot)
    }
    day = DateTime.add(day, { days: 1 })
  }
  return slots
}
