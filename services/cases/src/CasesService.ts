import { CasesApi } from "@care/domain"
import { layerJobs, layerService, PhiCipher } from "@care/service-kit"
import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { migrations } from "../migrations/index.ts"
import { Bundles } from "./bundles/Bundles.ts"
import { CatalogueHandlers } from "./catalogue/http.ts"
import { Directory } from "./directory/Directory.ts"
import { Forms } from "./forms/Forms.ts"
import { IntakeHandlers } from "./intake/http.ts"
import { Intake } from "./intake/Intake.ts"
import { PatientCompletion } from "./intake/PatientCompletion.ts"
import { PatientCasesHandlers } from "./patients/http.ts"
import { PatientCases } from "./patients/PatientCases.ts"
import { Products } from "./products/Products.ts"
import { ReadingHandlers } from "./reading/http.ts"
import { Reading } from "./reading/Reading.ts"

const features = Layer.mergeAll(Intake.layer, Reading.layer, Bundles.layer, PatientCases.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Products.layer, Forms.layer))
)

const routes = HttpApiBuilder.layer(CasesApi).pipe(
  Layer.provide([IntakeHandlers, ReadingHandlers, CatalogueHandlers, PatientCasesHandlers]),
  Layer.provide(features)
)

/** The cases service as a process. */
export const CasesService = layerService({
  name: "cases",
  defaultPort: 8082,
  migrations,
  routes: Layer.merge(routes, PatientCompletion.layerWorker).pipe(
    Layer.provide([PatientCompletion.layer, Directory.layer, PhiCipher.layer]),
    Layer.provide(layerJobs)
  )
})
