import { launch } from "@care/service-kit"
import { sandboxPorts } from "./sandboxPorts.ts"
import { layerSandboxStandIns } from "./sandboxStandIns.ts"

launch("stand-ins", layerSandboxStandIns(sandboxPorts))
