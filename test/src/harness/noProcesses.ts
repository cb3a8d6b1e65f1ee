import { subscribe } from "node:diagnostics_channel"

// Makes tests fail that start a process. Loaded in the projects whose tests run services as layers.
subscribe("child_process", () => {
  throw new Error(
    "Only *.system.test.ts and *.nightly.test.ts files start processes: rename this one, or run the service as a layer."
  )
})
