import { basename } from "node:path"

/** A part of the sidebar: its title, and its pages as files of the repository. */
export interface Section {
  readonly title: string
  readonly files: ReadonlyArray<string>
}

const guides = (...names: ReadonlyArray<string>) => names.map((name) => `docs/guides/${name}.md`)

const documents = (...names: ReadonlyArray<string>) => names.map((name) => `docs/${name}.md`)

/** The pages for partners. */
export const partnerSections: ReadonlyArray<Section> = [
  { title: "Start", files: guides("quick-start", "one-minute", "first-case", "testing", "going-live") },
  {
    title: "Guides",
    files: guides("forms", "sign-in", "payments", "orders", "appointments", "escalations")
  },
  { title: "Events", files: [...guides("webhook-endpoints"), ...documents("webhooks")] },
  { title: "Rules", files: guides("api-keys", "idempotency", "limits", "errors", "health-data") },
  { title: "News", files: documents("changelog") }
]

/** The pages for those who run the suite. */
export const operatorSections: ReadonlyArray<Section> = [
  { title: "Care team", files: guides("console", "staff") },
  { title: "Operate", files: guides("operator", "patient-data", "audit", "stand-ins") },
  {
    title: "Run",
    files: documents("operations", "configuration", "upgrade", "restore", "cells", "runbook", "security", "performance")
  }
]

const operatorFiles = new Set(operatorSections.flatMap(({ files }) => files))

/** Whether a page is for those who run the suite. */
export const isForOperators = (file: string): boolean => operatorFiles.has(file)

/** Returns the path of a page below `/docs/`. */
export const pagePath = (file: string): string => `${isForOperators(file) ? "operators/" : ""}${basename(file, ".md")}`

/** The path of the reference of each API, the document that it shows, and its title. */
export const references = [
  { path: "reference", document: "/openapi.json", title: "API reference" },
  { path: "operators/reference", document: "/openapi/admin.json", title: "Admin API reference" }
] as const

export type ApiReference = (typeof references)[number]
