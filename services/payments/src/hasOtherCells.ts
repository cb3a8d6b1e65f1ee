import { otherCellsUrlSetting, readSettings } from "@care/service-kit"
import { Effect } from "effect"

/** Whether there are other cells, which may have the same account of the gateway. An object of it that names no organization may be theirs. */
export const hasOtherCells = Effect.map(readSettings(otherCellsUrlSetting), (url) => url !== undefined)
