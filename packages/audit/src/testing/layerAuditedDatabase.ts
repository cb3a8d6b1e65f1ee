import type { ServiceName } from "@care/domain/peers"
import { layerTestDatabase } from "@care/service-kit/testing"
import { Layer } from "effect"
import { layerTestAudit } from "./layerTestAudit.ts"

/** Provides a service's schema on a database of its own, with a number of connections for requests, and its audit. */
export const layerAuditedDatabase = (schema: ServiceName, connections?: number) =>
  Layer.provideMerge(layerTestAudit, layerTestDatabase(schema, connections))
