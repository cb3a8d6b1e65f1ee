import { Audit } from "@care/audit"
import { directoryApi, type UserNotFound } from "@care/domain/auth"
import { DocumentId, OrganizationId, type UserId } from "@care/domain/ids"
import { ownPatientsApi, type UserIsStaff } from "@care/domain/patients"
import { makePatientRecords, type PatientRef, type WriteRow } from "@care/phi"
import { organizationScope, peer, startStream, streamedAnswer, Time, unexpected } from "@care/service-kit"
import { Context, Effect, Layer, Schema, type Scope, Stream } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { DocumentStore, writeContents } from "../../documents/index.ts"
import { patientTables } from "./patientTables.ts"

const decodeDocument = Schema.decodeUnknownSync(
  Schema.Struct({ id: DocumentId, organizationId: OrganizationId, size: Schema.Int })
)

/** Exports the data of a patient from all services, as one file. */
export class PatientExports extends Context.Service<
  PatientExports,
  {
    /** Returns the file as a response, which is read as fast as the client takes it. An error breaks it off. */
    readonly write: (
      userId: UserId
    ) => Effect.Effect<
      HttpServerResponse.HttpServerResponse,
      UserNotFound | UserIsStaff,
      HttpServerRequest.HttpServerRequest | Scope.Scope
    >
  }
>()("@care/cases/patients/PatientExports") {
  static readonly layer = Layer.effect(
    PatientExports,
    Effect.gen(function* () {
      const audit = yield* Audit
      const directory = yield* peer(directoryApi, "directory")
      const store = yield* DocumentStore

      const writeRow: WriteRow = (table, row) => {
        const text = JSON.stringify(row)
        if (table !== "documents") return Stream.succeed(Buffer.from(text))
        const { organizationId, ...document } = decodeDocument(row)
        return Stream.unwrap(
          Effect.map(store.read(organizationId, [document]), (pieces) =>
            writeContents([`{"document":${text},"contentBase64":"`, `"}`], pieces)
          )
        )
      }
      const readOwn = yield* makePatientRecords(patientTables, writeRow)

      const makeReadFrom = Effect.fnUntraced(function* (service: "auth" | "payments" | "scheduling") {
        const patients = yield* peer(ownPatientsApi(service), "ownPatients")
        return (params: PatientRef) => Effect.orDie(patients.data({ params })).pipe(Stream.unwrap, Stream.orDie)
      })
      const sources = [
        ["profile", yield* makeReadFrom("auth")],
        ["treatment", readOwn],
        ["payments", yield* makeReadFrom("payments")],
        ["appointments", yield* makeReadFrom("scheduling")]
      ] as const

      const startAll = (patient: PatientRef) =>
        Effect.forEach(
          sources,
          ([name, read]) => Effect.map(startStream(read(patient)), (part) => [name, part] as const),
          {
            concurrency: "unbounded"
          }
        )

      return PatientExports.of({
        write: Effect.fn("PatientExports.write")(function* (userId) {
          const scope = yield* organizationScope
          const query = scope === undefined ? {} : { organizationId: scope }
          const owner = directory.patientOwner({ params: { userId }, query })
          const { organizationId } = yield* Effect.catchTags(owner, unexpected)
          yield* audit.read({ organizationId, action: "PATIENT_EXPORTED", userId })
          const head = JSON.stringify({ exportedAt: yield* Time.nowAsDate, organizationId, userId })
          const members = (yield* startAll({ organizationId, userId })).map(([name, part]) =>
            Stream.concat(Stream.succeed(Buffer.from(`,"${name}":`)), part)
          )
          const pieces = [Stream.succeed(Buffer.from(head.slice(0, -1))), ...members, Stream.succeed(Buffer.from("}"))]
          return yield* streamedAnswer(Stream.flatten(Stream.fromArray(pieces)), { contentType: "application/json" })
        })
      })
    })
  ).pipe(Layer.provide(DocumentStore.layerPostgres))
}
