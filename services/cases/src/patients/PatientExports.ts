import type { UserNotFound } from "@care/domain/auth"
import { AuthApi } from "@care/domain/auth"
import { DocumentId, type UserId } from "@care/domain/ids"
import { ownPatientsApi, type PatientData, type UserIsStaff } from "@care/domain/patients"
import { Audit, makePatientRecords, peer, unexpected } from "@care/service-kit"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { FileContents } from "../documents/FileContents.ts"
import { patientTables } from "./patientTables.ts"

const decodeDocument = Schema.decodeUnknownSync(Schema.Struct({ id: DocumentId, size: Schema.Int }))

/** Everything that all services keep of a patient, as one file. */
export class PatientExports extends Context.Service<
  PatientExports,
  {
    /** The file as an answer: the contents of documents are read while it is written, no faster than its reader takes it. */
    readonly write: (
      userId: UserId
    ) => Effect.Effect<
      HttpServerResponse.HttpServerResponse,
      UserNotFound | UserIsStaff,
      HttpServerRequest.HttpServerRequest
    >
  }
>()("@care/cases/patients/PatientExports") {
  static readonly layer = Layer.effect(
    PatientExports,
    Effect.gen(function* () {
      const audit = yield* Audit
      const directory = yield* peer(AuthApi, "directory")
      const contents = yield* FileContents
      const own = yield* makePatientRecords(patientTables)
      const auth = yield* peer(ownPatientsApi("auth"), "ownPatients")
      const payments = yield* peer(ownPatientsApi("payments"), "ownPatients")
      const scheduling = yield* peer(ownPatientsApi("scheduling"), "ownPatients")

      const withContents = ({ documents = [], ...tables }: PatientData): PatientData => ({
        ...tables,
        documents: documents.map((row) => ({
          document: row,
          contentBase64: contents.placeholder(decodeDocument(row))
        }))
      })

      return PatientExports.of({
        write: Effect.fn("PatientExports.write")(function* (userId) {
          const { organizationId } = yield* Effect.catchTags(directory.patientOwner({ params: { userId } }), unexpected)
          const params = { organizationId, userId }
          yield* audit.read({ organizationId, action: "PATIENT_EXPORTED", userId })
          const file = {
            exportedAt: yield* DateTime.nowAsDate,
            organizationId,
            userId,
            profile: yield* Effect.orDie(auth.data({ params })),
            treatment: withContents(yield* own(params)),
            payments: yield* Effect.orDie(payments.data({ params })),
            appointments: yield* Effect.orDie(scheduling.data({ params }))
          }
          return yield* contents.answer(organizationId, JSON.stringify(file))
        })
      })
    })
  ).pipe(Layer.provide(FileContents.layer))
}
