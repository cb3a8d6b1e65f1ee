import { pieces, switchOff } from "@care/service-kit"

// With CARE_PLAIN=true (`pnpm test:plain`) the suite does everything the plain way: what exists only for speed is off.
if (process.env["CARE_PLAIN"] === "true") switchOff(pieces)
