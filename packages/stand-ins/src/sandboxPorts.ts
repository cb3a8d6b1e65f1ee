import { gatewayPort } from "@care/domain/peers"

/** The ports of the stand-ins for sandboxes. */
export const sandboxPorts = { stripe: gatewayPort + 14, scheduling: gatewayPort + 15, pharmacy: gatewayPort + 16 }
