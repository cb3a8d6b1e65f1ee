import { subscribe } from "node:diagnostics_channel"

// Of the projects whose tests take no process for what a layer can do.
subscribe("child_process", () => {
  throw new Error(
    "Only *.system.test.ts and *.nightly.test.ts files start processes: rename this one, or run the service as a layer."
  )
})
