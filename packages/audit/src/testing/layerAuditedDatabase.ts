import type { ServiceName } from "@care/domain/peers"
import { layerTestCipher } from "@care/phi/testing"
import { layerTestDatabase } from "@care/service-kit/testing"
import { Layer } from "effect"
import { layerTestAudit } from "./layerTestAudit.ts"

/** Provides a service's schema on a database of its own, with a number of connections for requests, its audit and a cipher. */
export const layerAuditedDatabase = (schema: ServiceName, connections?: number) =>
  Layer.mergeAll(layerTestAudit, layerTestCipher).pipe(Layer.provideMerge(layerTestDatabase(schema, connections)))
