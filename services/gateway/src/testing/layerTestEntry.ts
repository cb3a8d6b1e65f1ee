import { IdentityTokens, layerHttpClient } from "@care/service-kit"
import { layerTestConfig } from "@care/service-kit/testing"
import { Layer } from "effect"
import { CellOfId } from "../cells/CellOfId.ts"
import { Cells } from "../cells/Cells.ts"
import { CellLists } from "../forwarding/CellLists.ts"
import { Forwarder } from "../forwarding/Forwarder.ts"
import { Traffic } from "../forwarding/Traffic.ts"
import { KeyResolver } from "../keys/KeyResolver.ts"
import { StaffResolver } from "../keys/StaffResolver.ts"
import { InFlight } from "../limits/InFlight.ts"
import { RateLimits } from "../limits/RateLimits.ts"
import { Bodies } from "../receiving/Bodies.ts"
import { Callers } from "../routing/Callers.ts"
import { Entry } from "../routing/Entry.ts"
import { OperatorCells } from "../routing/OperatorCells.ts"
import { layerTestSettings } from "./layerTestSettings.ts"

/** `Entry` for a test's own routes. */
export const layerTestEntry = (environment: Readonly<Record<string, string>>) =>
  Entry.layer.pipe(
    Layer.provide([
      CellLists.layer,
      OperatorCells.layer,
      Forwarder.layer,
      Callers.layer,
      InFlight.layer,
      RateLimits.layer,
      Bodies.layer
    ]),
    Layer.provide([KeyResolver.layer, StaffResolver.layer, Traffic.layer]),
    Layer.provide(CellOfId.layer),
    Layer.provide(Cells.layer),
    Layer.provide(layerTestSettings(environment)),
    Layer.provide([layerHttpClient, IdentityTokens.layer]),
    Layer.provide(layerTestConfig()),
    Layer.fresh
  )
