import { afterAll, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { draftStoreOf } from "./draftStore.ts"

// The storage of a browser's tab, which Node.js lacks. It is full at so many letters.
class TabStorage {
  readonly kept = new Map<string, string>()
  room = 100_000
  getItem(name: string): string | null {
    return this.kept.get(name) ?? null
  }
  setItem(name: string, value: string): void {
    if (value.length > this.room) throw new DOMException("The quota has been exceeded.", "QuotaExceededError")
    this.kept.set(name, value)
  }
  removeItem(name: string): void {
    this.kept.delete(name)
  }
}

const keyOf = (letter: string) => letter.repeat(42).concat("A")
const subject = "comment 3b241101-e2bb-4255-8caf-4136c566a962"
const storeOf = (key: string | null = keyOf("a"), of = subject) => draftStoreOf(key, of)

let storage = new TabStorage()

beforeEach(() => {
  storage = new TabStorage()
  vi.stubGlobal("sessionStorage", storage)
  vi.stubGlobal("isSecureContext", true)
})
afterAll(() => void vi.unstubAllGlobals())

describe("drafts in the browser", () => {
  it("are there again with the same key, encrypted, under a name that tells nothing", async () => {
    const text = "Sounds anxious \u{1f642} \u202e"
    await storeOf().write(text)
    assert.strictEqual(await storeOf().read(), text)
    const [[name, value] = ["", ""]] = storage.kept
    for (const told of ["anxious", "comment", "3b241101", keyOf("a")]) assert.notInclude(`${name} ${value}`, told)
    assert.match(value, /^[\w-]+\.[\w-]+$/)
    await storeOf().write(text)
    assert.notStrictEqual(storage.getItem(name), value)
    assert.strictEqual(storage.kept.size, 1)
  })

  it("are of one person and one subject: others neither read nor replace them", async () => {
    await storeOf().write("Mine")
    for (const other of [storeOf(keyOf("b")), storeOf(keyOf("a"), "decision 3b241101-e2bb-4255-8caf-4136c566a962")]) {
      assert.isUndefined(await other.read())
      await other.write("Another")
      await other.write(undefined)
    }
    assert.strictEqual(await storeOf().read(), "Mine")
  })

  it("are not read where another name, another text or anything else was put in their place", async () => {
    await storeOf().write("Mine")
    const [[name, value] = ["", ""]] = storage.kept
    await storeOf(keyOf("b")).write("Another")
    const foreign = [...storage.kept.values()].at(-1) ?? ""
    await storeOf(keyOf("a"), "another case").write("Of another case")
    const moved = [...storage.kept.values()].at(-1) ?? ""
    const [iv = "", sealed = ""] = value.split(".")
    const changed = `${iv}.${sealed.startsWith("A") ? "B" : "A"}${sealed.slice(1)}`
    for (const put of ["", ".", "x", "not base64 \u0000.!", `${iv}.`, `.${sealed}`, sealed, changed, foreign, moved]) {
      storage.kept.set(name, put)
      assert.isUndefined(await storeOf().read(), put)
    }
    storage.kept.set(name, value)
    assert.strictEqual(await storeOf().read(), "Mine")
    await storeOf().write("Mine again")
    assert.strictEqual(await storeOf().read(), "Mine again")
  })

  it("keep the older text where the newer one has no place, and go on when there is room", async () => {
    const store = storeOf()
    await store.write("Short")
    storage.room = 100
    await store.write("Long ".repeat(100))
    assert.strictEqual(await store.read(), "Short")
    await store.write("Shorter")
    assert.strictEqual(await store.read(), "Shorter")
  })

  it("are as they were written last, and gone once they are removed", async () => {
    const store = storeOf()
    const texts = Array.from({ length: 20 }, (_, index) => `Text ${index}`)
    await Promise.all(texts.map((text) => store.write(text)))
    assert.strictEqual(await store.read(), "Text 19")
    await Promise.all([store.write("Text 20"), store.write(undefined)])
    assert.isUndefined(await store.read())
    assert.strictEqual(storage.kept.size, 0)
  })

  it("are kept nowhere without a key, with a key that is none, or on an insecure page", async () => {
    vi.stubGlobal("isSecureContext", false)
    const insecure = storeOf()
    vi.stubGlobal("isSecureContext", true)
    for (const store of [insecure, storeOf(null), storeOf("no key"), storeOf("AAAA")]) {
      await store.write("Mine")
      assert.isUndefined(await store.read())
    }
    assert.strictEqual(storage.kept.size, 0)
  })
})
