import { cellNameForm, firstCell, isCellName } from "@care/domain/cells"
import { setting, textSetting } from "./settings.ts"

/** The cell of a service. */
export const cellSetting = setting(
  (name) => textSetting(name, cellNameForm, isCellName),
  "CELL",
  firstCell,
  "the name of the service's cell, the same for all four services: two to eight lower-case letters and digits. It is part of new API keys"
)
