import type { ServiceName } from "@care/domain/peers"
import { layerTestDatabase } from "@care/service-kit/testing"
import { Layer } from "effect"
import { layerTestAudit } from "./layerTestAudit.ts"

/** The SQL layer of one service on a database of its own, with so many connections for requests at most, and its audit. */
export const layerAuditedDatabase = (schema: ServiceName, connections?: number) =>
  Layer.provideMerge(layerTestAudit, layerTestDatabase(schema, connections))
