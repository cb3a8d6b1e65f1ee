import { pieces, switchOff } from "@care/service-kit"

// CARE_PLAIN=true (`pnpm test:plain`) switches all code off that exists only for speed.
if (process.env["CARE_PLAIN"] === "true") switchOff(pieces)
