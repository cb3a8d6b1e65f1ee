import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { AllowedNetwork } from "./AllowedNetwork.ts"

const isAllowed = Schema.is(AllowedNetwork)

it("a network is an IPv4 or IPv6 address, with the length of a prefix or without", () => {
  for (const text of [
    "192.0.2.7",
    "10.0.0.0/8",
    "0.0.0.0/0",
    "255.255.255.255/32",
    "::1",
    "2001:db8::/32",
    "ffff::1/128"
  ]) {
    assert.isTrue(isAllowed(text), text)
  }
  for (const text of [
    "",
    "clinic.example.com",
    "192.0.2",
    "192.0.2.256",
    "192.0.2.07",
    "192.0.2.00/24",
    "192.0.2.0/33",
    "192.0.2.0/",
    "192.0.2.0/08",
    "192.0.2.0/8/8",
    " 192.0.2.0/8",
    "2001:db8::/129",
    "2001:db8:::1",
    "::ffff:192.0.2.7",
    "::ffff:c000:207",
    "fe80::1%eth0"
  ]) {
    assert.isFalse(isAllowed(text), text)
  }
})
