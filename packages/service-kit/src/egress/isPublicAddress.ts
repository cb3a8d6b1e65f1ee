import ipaddr from "ipaddr.js"

/** True for an IP address that belongs to the internet: unicast, and not private, local, reserved or translated. */
export const isPublicAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast"

/** True for an address of this machine itself. */
export const isLoopbackAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback"
