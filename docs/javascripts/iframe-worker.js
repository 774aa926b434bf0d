/* How does the search work on pages that are opened from disk? Browsers start no worker there. So the script of the
   worker runs in a frame of the page, and exchanges the same messages with the page. */
if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      this.inside = new Promise((done, failed) => {
        frame.onload = () => this.load(frame.contentWindow, new URL(url, location), done, failed)
      })
      document.documentElement.append(frame)
    }

    load(inside, url, done, failed) {
      inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
      const script = inside.document.createElement("script")
      Object.assign(script, { src: url, onload: () => done(inside), onerror: failed })
      inside.document.head.append(script)
    }

    async postMessage(data) {
      const inside = await this.inside
      inside.dispatchEvent(new MessageEvent("message", { data }))
    }
  }
}
