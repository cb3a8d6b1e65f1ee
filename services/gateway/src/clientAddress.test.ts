import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { NewApiKey } from "@care/domain/admin"
import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import * as fc from "fast-check"
import { makeClientAddresses, networkOf } from "./clientAddress.ts"

const addressesBehind = (...trusted: ReadonlyArray<string>) =>
  makeClientAddresses(trusted.map((network) => networkOf(network) ?? assert.fail(network)))

/** A request over a connection from an address. */
const requestFrom = (remoteAddress: string, forwardedFor?: string): IncomingMessage => {
  const request = new IncomingMessage(Object.defineProperty(new Socket(), "remoteAddress", { value: remoteAddress }))
  if (forwardedFor !== undefined) request.headers["x-forwarded-for"] = forwardedFor
  return request
}

it("the caller's address is the last one that is no trusted proxy, whatever the caller writes before it", () => {
  const { ofRequest } = addressesBehind("10.0.0.0/8", "192.0.2.7", "2001:db8:1::/48")
  const cases: ReadonlyArray<readonly [address: string, remote: string, forwardedFor?: string]> = [
    ["198.51.100.1", "198.51.100.1"],
    ["198.51.100.1", "198.51.100.1", "203.0.113.9"],
    ["192.0.2.8", "192.0.2.8", "203.0.113.9"],
    ["203.0.113.9", "10.1.2.3", "203.0.113.9"],
    ["203.0.113.9", "::ffff:10.1.2.3", "::ffff:203.0.113.9"],
    ["203.0.113.9", "10.1.2.3", "1.1.1.1, 10.9.9.9, 203.0.113.9 , 192.0.2.7,10.0.0.1"],
    ["203.0.113.9", "2001:db8:1:ff::1", "203.0.113.9:51234"],
    ["2001:db8:2:3::/64", "10.1.2.3", "[2001:db8:2:3:4::5]:443"],
    ["10.0.0.9", "10.1.2.3", "10.0.0.9"],
    ["10.1.2.3", "10.1.2.3"],
    ["10.1.2.3", "10.1.2.3", ""],
    ["10.1.2.3", "10.1.2.3", "203.0.113.9, unknown"],
    ["10.1.2.3", "10.1.2.3", "203.0.113.9, 0x7f.1"],
    ["10.0.0.9", "10.1.2.3", "203.0.113.9, x, 10.0.0.9"]
  ]
  for (const [address, remote, forwardedFor] of cases) {
    assert.strictEqual(ofRequest(requestFrom(remote, forwardedFor)), address, `${remote}: ${forwardedFor}`)
  }
})

it("without trusted proxies no header is believed", () => {
  assert.strictEqual(addressesBehind().ofRequest(requestFrom("127.0.0.1", "203.0.113.9")), "127.0.0.1")
})

it("all IPv6 addresses of a /64 count as one address, and those of another /64 as another", () => {
  const { ofConnection } = addressesBehind()
  const first = ofConnection("2001:db8::1")
  assert.strictEqual(ofConnection("2001:0db8:0:0:ffff:ffff:ffff:ffff"), first)
  assert.strictEqual(ofConnection("fe80::1%eth0"), ofConnection("fe80::2"))
  assert.notStrictEqual(ofConnection("2001:db8:0:1::1"), first)
  assert.strictEqual(ofConnection("::ffff:127.0.0.1"), "127.0.0.1")
})

it("a network is an address with or without a prefix length, and nothing else", () => {
  for (const text of ["10.0.0.0/8", "10.1.2.3/0", "192.0.2.7", "::1", "2001:db8::/32", "::/0"]) {
    assert.isDefined(networkOf(text), text)
  }
  for (const text of ["", "10", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0/8", "::/129", "proxy.internal"]) {
    assert.isUndefined(networkOf(text), text)
  }
})

it("each network that a key may have is one", () => {
  const isAllowed = Schema.is(Schema.toType(NewApiKey))
  const joined = (part: fc.Arbitrary<string>, separator: string) =>
    fc.array(part, { minLength: 2, maxLength: 8 }).map((parts) => parts.join(separator))
  const address = fc.oneof(
    joined(fc.stringMatching(/^\d{1,3}$/), "."),
    joined(fc.stringMatching(/^[0-9a-f]{0,4}$/), ":"),
    fc.ipV4(),
    fc.ipV6()
  )
  const text = fc
    .tuple(address, fc.constantFrom("", "/0", "/8", "/08", "/32", "/64", "/129"))
    .map((parts) => parts.join(""))
  fc.assert(
    fc.property(text, (network) => {
      if (isAllowed({ allowedNetworks: [network] })) assert.isDefined(networkOf(network), network)
    }),
    { numRuns: 1000 }
  )
})
