import { optionalSetting, urlSetting } from "@care/service-kit"

/** The gateway of several cells. */
export const otherCellsUrlSetting = optionalSetting(
  urlSetting,
  "GATEWAY_URL",
  "the URL of the gateway, if there are several cells: auth asks it whether another cell has a user"
)
