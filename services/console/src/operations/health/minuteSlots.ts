import type { MinuteOfTraffic } from "@care/domain/gateway"

/** The minutes that charts show. */
export const shownMinutes = 60

/** A minute with its place in a chart: 59 is now. */
export interface MinuteSlot extends MinuteOfTraffic {
  readonly slot: number
}

/** Returns the minutes of the last hour with their places in a chart. Minutes without requests have no place. */
export const minuteSlots = (minutes: ReadonlyArray<MinuteOfTraffic>, now: Date): ReadonlyArray<MinuteSlot> =>
  minutes.flatMap((minute) => {
    const ago = Math.floor(now.getTime() / 60_000) - Math.floor(minute.minute.getTime() / 60_000)
    return ago >= 0 && ago < shownMinutes ? [{ ...minute, slot: shownMinutes - 1 - ago }] : []
  })
