import { cellNameForm, firstCell, isCellName } from "@care/domain/cells"
import { optionalSetting, setting, textSetting, urlSetting } from "./settings.ts"

/** The cell of a service. */
export const cellSetting = setting(
  (name) => textSetting(name, cellNameForm, isCellName),
  "CELL",
  firstCell,
  "the name of the service's cell, the same for all four services: two to eight lower-case letters and digits. It is part of new API keys"
)

/** The gateway of several cells. */
export const otherCellsUrlSetting = optionalSetting(
  urlSetting,
  "GATEWAY_URL",
  "the URL of the gateway, if there are several cells: auth and cases ask it whether another cell has a user or an order, and payments leaves out events of Stripe about other cells' organizations"
)
