import { CasesApi } from "@care/domain"
import { Egress, layerCleanup, layerService, Once, oldIdempotencyKeys } from "@care/service-kit"
import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { migrations } from "../migrations/index.ts"
import { Assignment } from "./assignment/Assignment.ts"
import { AssignmentJobs } from "./assignment/AssignmentJobs.ts"
import { BackOfficeHandlers } from "./backOffice/http.ts"
import { Bundles } from "./bundles/Bundles.ts"
import { BundlesHandlers } from "./bundles/http.ts"
import { CatalogueHandlers } from "./catalogue/http.ts"
import { Comments } from "./comments/Comments.ts"
import { Decisions } from "./decisions/Decisions.ts"
import { Directory } from "./directory/Directory.ts"
import { AnswerFiles } from "./documents/AnswerFiles.ts"
import { Attachments } from "./documents/Attachments.ts"
import { DocumentDownloads } from "./documents/DocumentDownloads.ts"
import { DocumentLinks } from "./documents/DocumentLinks.ts"
import { DocumentStore } from "./documents/DocumentStore.ts"
import { Documents } from "./documents/Documents.ts"
import { FileContents } from "./documents/FileContents.ts"
import { DocumentLinksHandlers } from "./documents/http.ts"
import { Forms } from "./forms/Forms.ts"
import { CaseForms } from "./intake/CaseForms.ts"
import { DynamicCases } from "./intake/DynamicCases.ts"
import { IntakeHandlers } from "./intake/http.ts"
import { Intake } from "./intake/Intake.ts"
import { NewCases } from "./intake/NewCases.ts"
import { PatientCompletions } from "./intake/PatientCompletions.ts"
import { Cases } from "./lifecycle/Cases.ts"
import { Lifecycle } from "./lifecycle/Lifecycle.ts"
import { CaseFactsHandlers } from "./patients/http.ts"
import { PaymentRecording } from "./payments/PaymentRecording.ts"
import { Products } from "./products/Products.ts"
import { ReadingHandlers } from "./reading/http.ts"
import { Reading } from "./reading/Reading.ts"

const catalogue = Layer.mergeAll(Products.layer, Forms.layer)

const documents = FileContents.layer.pipe(
  Layer.provideMerge(DocumentLinks.layer),
  Layer.provideMerge(Documents.layer),
  Layer.provideMerge(DocumentStore.layerPostgres)
)

const intake = Layer.mergeAll(Intake.layer, DynamicCases.layer, CaseForms.layer).pipe(
  Layer.provide([NewCases.layer, AnswerFiles.layer])
)

const features = Layer.mergeAll(
  intake,
  Reading.layer,
  Bundles.layer,
  Lifecycle.layer,
  Decisions.layer,
  Comments.layer,
  Attachments.layer
).pipe(Layer.provideMerge(Layer.mergeAll(catalogue, documents)))

const routes = HttpApiBuilder.layer(CasesApi).pipe(
  Layer.provide([
    IntakeHandlers,
    ReadingHandlers,
    BundlesHandlers,
    DocumentLinksHandlers,
    CatalogueHandlers,
    BackOfficeHandlers,
    CaseFactsHandlers
  ]),
  Layer.provide(features)
)

const workers = Layer.mergeAll(
  AssignmentJobs.layerWorker.pipe(Layer.provide(Assignment.layer)),
  DocumentDownloads.layerWorker.pipe(Layer.provide(documents)),
  PatientCompletions.layerWorker,
  PaymentRecording.layerWorker,
  layerCleanup(oldIdempotencyKeys)
)

/** The cases service as a process. */
export const CasesService = layerService({
  name: "cases",
  migrations,
  routes: Layer.merge(routes, workers).pipe(
    Layer.provide([
      AssignmentJobs.layer,
      DocumentDownloads.layer,
      Egress.layer,
      PatientCompletions.layer,
      PaymentRecording.layer,
      Cases.layer,
      Directory.layer,
      Once.layer
    ])
  )
})
