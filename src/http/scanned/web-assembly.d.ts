/** The part of WebAssembly's JavaScript interface that the product uses; neither the language nor Node.js declares it. */
declare namespace WebAssembly {
  function compile(bytes: Uint8Array): Promise<Module>
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Memory {
    readonly buffer: ArrayBuffer
  }
  class Instance {
    readonly exports: Readonly<Record<string, unknown>>
    constructor(module: Module)
  }
}
