import Venues
