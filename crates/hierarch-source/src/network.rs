//! The network as programs ask it: names and pages. Who opens a site hands it in; nothing is asked otherwise.

/// What asks for names and pages.
pub trait Network: std::fmt::Debug + Send + Sync {
    /// Returns the records of a name, of kind `A`, `AAAA`, `PTR`, `TXT`, `MX` and so on, as texts; none where there are none.
    fn records(&self, name: &str, kind: &str) -> Result<Vec<String>, String>;

    /// Asks for a page.
    fn page(&self, request: &PageRequest) -> Result<Page, String>;
}

/// What is asked of a web server.
#[derive(Clone, Debug, Default)]
pub struct PageRequest {
    /// `GET`, `HEAD`, `POST`.
    pub method: String,
    /// The address.
    pub url: String,
    /// Names and values.
    pub headers: Vec<(String, String)>,
    /// What is sent.
    pub body: Vec<u8>,
}

/// What a web server answers.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// Such as 200.
    pub status: u16,
    /// Such as `OK`.
    pub reason: String,
    /// Names and values.
    pub headers: Vec<(String, String)>,
    /// The content.
    pub body: Vec<u8>,
}
