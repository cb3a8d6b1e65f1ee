/** A page of a list: the body of an answer. */
export interface Page<Item> {
  readonly data: ReadonlyArray<Item>
  readonly nextCursor: string | null
}

/** A list that is read by pages. `for await` reads all items, each page when it is reached. */
export class Pages<Item, Body extends Page<Item>> implements AsyncIterable<Item> {
  readonly #read: (cursor: string | undefined) => Promise<Body>

  constructor(read: (cursor: string | undefined) => Promise<Body>) {
    this.#read = read
  }

  /** Reads one page: the first, or the one at a cursor. */
  page(cursor?: string): Promise<Body> {
    return this.#read(cursor)
  }

  /** Reads the pages, one after the other. */
  async *pages(): AsyncGenerator<Body, void, undefined> {
    let page = await this.#read(undefined)
    yield page
    while (page.nextCursor !== null) {
      page = await this.#read(page.nextCursor)
      yield page
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of this.pages()) yield* data
  }
}
